/** The manifests of the source document ("Context Feeds" to "Context Feed Examples"), as it writes them. */

/** "Agent Manifest Configuration". */
export const agentManifest = `context_feeds:
  - id: "current_datetime"
    type: "on_demand"
    source:
      type: "internal"
      action: "system_clock"
      params: 
        format: "ISO8601"
        timezone: "UTC"
      
  - id: "system_metrics"
    type: "periodic"
    interval: 30  # seconds
    source:
      type: "tool"
      name: "system_monitor_tool"
      params: 
        metrics: ["cpu", "memory"]
  
  - id: "journal_tree"
    type: "on_demand"
    source:
      type: "tool"
      name: "filesystem"
      params: 
        path: "\${JOURNAL_ROOT}"
        format: "tree"
`;

/** The first draft at the top, with flow maps. */
export const firstDraft = `context_feeds:
  - id: "current_datetime"
    type: "on_demand"
    source:
      type: "internal"
      action: "system_clock"
      params: { format: "ISO8601", timezone: "UTC" }
      
  - id: "system_metrics"
    type: "periodic"
    interval: 30 # seconds
    source:
      type: "tool"
      name: "system_monitor_tool"
      params: { metrics: ["cpu", "memory"] }
  - id: "journal_tree"
    type: "on_demand"
    source:
      type: "tool"
      name: "filesystem"
      params: { path: "\${JOURNAL_ROOT}", format: "tree" }
`;

/** "Advanced Features". */
export const advanced = {
  caching: `- id: "expensive_data"
  type: "on_demand"
  cache_ttl: 300  # Cache for 5 minutes
  source:
    type: "tool"
    name: "expensive_api_call"
`,
  sizeLimits: `- id: "large_dataset"
  type: "on_demand"
  max_tokens: 1000  # Truncate if too large
  source:
    type: "relic"
    name: "data_warehouse"
`,
  conditional: `- id: "debug_info"
  type: "on_demand"
  enabled: "\${DEBUG_MODE}"  # Only load if debug enabled
  source:
    type: "internal"
    action: "debug_context"
`,
};

/** "Security" of internal actions. */
export const security = `internal_actions:
  enabled: true
  allowed_actions:
    - "add_context_feed"
    - "remove_context_feed"
  # blocked_actions:
  #   - "update_context_feed"
`;

/** "Context Feed Examples". */
export const examples = {
  repository: `- id: "repo_structure"
  type: "on_demand"
  source:
    type: "tool"
    name: "git_tree"
    params:
      path: "\${REPO_ROOT}"
      max_depth: 3
      
- id: "recent_commits"
  type: "on_demand"
  source:
    type: "tool"
    name: "git_log"
    params:
      count: 10
      format: "oneline"
`,
  monitoring: `- id: "docker_status"
  type: "periodic"
  interval: 60
  source:
    type: "tool"
    name: "docker_ps"
    
- id: "service_health"
  type: "periodic"
  interval: 30
  source:
    type: "relic"
    name: "health_check_service"
`,
  documents: `- id: "project_docs"
  type: "on_demand"
  cache_ttl: 3600  # Cache for 1 hour
  max_tokens: 5000
  source:
    type: "workflow"
    name: "doc_aggregator"
    params:
      paths: ["docs/", "README.md"]
      format: "markdown"
`,
  llm: `- id: "code_summary"
  type: "on_demand"
  cache_ttl: 1800
  source:
    type: "llm"
    name: "summarize"
    params:
      prompt: "Summarize the main purpose of this codebase"
      context: "$repo_structure"
      model: "gemini-1.5-flash"
`,
};

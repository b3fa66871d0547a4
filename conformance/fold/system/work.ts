/** The requests and tools of the agents of a simulated system, as their own wires show them. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { WireEvent } from '../../../src/kit/world/index.ts';
import { eventOf, terminalEvents } from '../../../src/fold/index.ts';

/** A tool that waits for a decision. */
export interface Asked {
  readonly agent: string;
  readonly tool: string;
}

/** An agent of the system. */
interface Worker {
  /** Its agent_id. */
  id: string;
  /** Its active requests. */
  readonly running: Set<string>;
  /** Tools that wait for a decision. */
  readonly asked: Set<string>;
  /** Whether it sent a response since the last check. */
  spoke: boolean;
  /** The number of checks since its last response. */
  silence: number;
}

/** After this many silent checks in a row, an agent waits for a timeout. */
const patience = 25;

export class SystemWork {
  readonly #workers = new Map<string, Worker>();
  /** The agent_id of each request. */
  readonly #requests = new Map<string, string>();
  #ids: readonly string[] = [];

  /** Adds an agent that will register under this id. */
  add(peer: string, id: string = peer): void {
    this.#workers.set(peer, { id, running: new Set(), asked: new Set(), spoke: false, silence: 0 });
    this.#ids = [...new Set([...this.#workers.values()].map((worker) => worker.id))];
  }

  /** The agent_ids of all agents. */
  agents(): readonly string[] {
    return this.#ids;
  }

  /** The ids of all requests to agents, in order. */
  requests(): readonly string[] {
    return [...this.#requests.keys()];
  }

  /** The agent_id of a request's agent. */
  agentOf(request: string): string {
    return this.#requests.get(request) ?? '';
  }

  /** The number of active requests. */
  running(): number {
    let count = 0;
    for (const { running } of this.#workers.values()) count += running.size;
    return count;
  }

  /** The tools that agents asked about since the last call. */
  takeAsked(): readonly Asked[] {
    const taken: Asked[] = [];
    for (const { id, asked } of this.#workers.values()) {
      for (const tool of asked) taken.push({ agent: id, tool });
      asked.clear();
    }
    return taken;
  }

  /** Agents with work that sent no response since the last call, except those that wait for a timeout. */
  quiet(): readonly string[] {
    const found: string[] = [];
    for (const worker of this.#workers.values()) {
      worker.silence = worker.spoke ? 0 : worker.silence + 1;
      worker.spoke = false;
      if (worker.running.size > 0 && worker.silence > 0 && worker.silence < patience) found.push(worker.id);
    }
    return found;
  }

  /** Takes an event of an agent's wire. */
  saw(peer: string, event: WireEvent): void {
    const worker = this.#workers.get(peer);
    if (worker === undefined) return;
    if (event.kind === 'end' || event.kind === 'reset') {
      worker.running.clear();
      worker.asked.clear();
    }
    if (event.kind !== 'message' || !isObject(event.message)) return;
    const { welcome, send_message: work, response } = event.message;
    if (event.incoming && isObject(welcome)) this.#welcomed(worker, String(welcome['agent_id']));
    else if (event.incoming && isObject(work)) this.#given(worker, String(work['request_id']));
    else if (!event.incoming && isObject(response)) {
      const name = eventOf(response);
      const ask = response['tool_approval_request'];
      worker.spoke = true;
      if (isObject(ask)) worker.asked.add(String(ask['id']));
      if (name !== undefined && terminalEvents.has(name))
        worker.running.delete(String(response['request_id']));
    }
  }

  #welcomed(worker: Worker, id: string): void {
    if (worker.id === id) return;
    worker.id = id;
    this.#ids = [...new Set([...this.#ids, id])];
  }

  #given(worker: Worker, request: string): void {
    worker.running.add(request);
    this.#requests.set(request, worker.id);
  }
}

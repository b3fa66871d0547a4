/** What the agents of a simulated system were given to do, as their own wires show it. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { WireEvent } from '../../../src/kit/world/index.ts';
import { eventOf, terminalEvents } from '../../../src/fold/index.ts';

/** A tool that waits for a decision. */
export interface Asked {
  readonly agent: string;
  readonly tool: string;
}

/** One agent, by its peer. */
interface Worker {
  /** The id it is known by. */
  id: string;
  /** What it was sent and has not ended. */
  readonly running: Set<string>;
  /** Tools that wait for a decision. */
  readonly asked: Set<string>;
  /** It said something since it was last looked at. */
  spoke: boolean;
  /** How often it was looked at since it last spoke. */
  silence: number;
}

/** An agent that was found silent so often in a row waits for what only time brings. */
const patience = 25;

/** See the file's head. */
export class SystemWork {
  readonly #workers = new Map<string, Worker>();
  /** All requests that were seen, to their agent's id. */
  readonly #requests = new Map<string, string>();
  #ids: readonly string[] = [];

  /** There is an agent, which will register under this id. */
  add(peer: string, id: string = peer): void {
    this.#workers.set(peer, { id, running: new Set(), asked: new Set(), spoke: false, silence: 0 });
    this.#ids = [...new Set([...this.#workers.values()].map((worker) => worker.id))];
  }

  /** The ids of the agents there are. */
  agents(): readonly string[] {
    return this.#ids;
  }

  /** The ids of all requests that agents were sent, in order. */
  requests(): readonly string[] {
    return [...this.#requests.keys()];
  }

  /** The id of the agent that was sent a request. */
  agentOf(request: string): string {
    return this.#requests.get(request) ?? '';
  }

  /** Requests that agents have not ended. */
  running(): number {
    let count = 0;
    for (const { running } of this.#workers.values()) count += running.size;
    return count;
  }

  /** Tools that agents asked about since they were last asked for. */
  takeAsked(): readonly Asked[] {
    const taken: Asked[] = [];
    for (const { id, asked } of this.#workers.values()) {
      for (const tool of asked) taken.push({ agent: id, tool });
      asked.clear();
    }
    return taken;
  }

  /** Agents that have work and have said nothing since they were last asked for; but not for ever. */
  quiet(): readonly string[] {
    const found: string[] = [];
    for (const worker of this.#workers.values()) {
      worker.silence = worker.spoke ? 0 : worker.silence + 1;
      worker.spoke = false;
      if (worker.running.size > 0 && worker.silence > 0 && worker.silence < patience) found.push(worker.id);
    }
    return found;
  }

  /** Something crossed an agent's wire. */
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

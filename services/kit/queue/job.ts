/** A job handed to a worker. */
export interface Job {
  id: string;
  payload: unknown;
  /** 1 the first time. A job is handed out again when its worker died or its handler threw. */
  attempt: number;
}

export interface JobToSend {
  /** Set by the sender when the job represents a row; one id is never queued twice. */
  id: string;
  payload: unknown;
}

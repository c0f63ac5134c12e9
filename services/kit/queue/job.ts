/** A job handed to a worker. */
export interface Job {
  id: string;
  payload: unknown;
  /** 1 the first time. A job is handed out again when its worker died or the work threw. */
  attempt: number;
}

export interface JobToSend {
  /** Given by the sender where the job stands for a row; one id is never queued twice. */
  id: string;
  payload: unknown;
}

/** @throws with the response's text unless it is a 2xx */
export async function requireOk(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
}

/** The JSON body of a 2xx. */
export async function readJson<Value>(response: Response): Promise<Value> {
  return (await (await requireOk(response)).json()) as Value;
}

export function mountJsonEditor(_area: HTMLTextAreaElement, _schemaAddress: string): () => void {
  return () => undefined;
}

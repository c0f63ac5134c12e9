/** Address of a step of registering that remembers the plan chosen on the way there. */
export function registrationAddress(path: string, serviceId: string | null | undefined): string {
  return serviceId ? `${path}?serviceId=${encodeURIComponent(serviceId)}` : path;
}

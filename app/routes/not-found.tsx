import { mistypedAddress, problemResponse } from "~/backend/responses";

export function loader() {
  throw problemResponse({
    type: "about:blank",
    title: "Page not found",
    status: 404,
    code: "not_found",
    detail: mistypedAddress,
  });
}

export default function NotFound() {
  return null;
}

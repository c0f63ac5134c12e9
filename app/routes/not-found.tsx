import { problemResponse } from "~/backend/answers";

export function loader() {
  throw problemResponse({
    type: "about:blank",
    title: "Page not found",
    status: 404,
    code: "not_found",
    detail: "The address may be mistyped, or what it showed was deleted.",
  });
}

export default function NotFound() {
  return null;
}

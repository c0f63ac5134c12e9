import { index, type RouteConfig, route } from "@remix-run/route-config";

export default [
  index("routes/home.tsx"),
  route("login", "routes/login.tsx"),
  route("signout", "routes/signout.tsx"),
  route("cookie-consent", "routes/cookie-consent.ts"),
  route("privacy-policy", "routes/legal/privacy-policy.tsx"),
  route("terms-and-conditions", "routes/legal/terms-and-conditions.tsx"),
  route("legal", "routes/legal/legal.tsx"),

  route("dashboard", "routes/dashboard.tsx"),

  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;

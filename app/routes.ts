import { index, type RouteConfig, route } from "@remix-run/route-config";

export default [
  index("routes/home.tsx"),
  route("login", "routes/login.tsx"),
  route("signout", "routes/signout.tsx"),
  route("cookie-consent", "routes/cookie-consent.ts"),
  route("privacy-policy", "routes/legal/privacy-policy.tsx"),
  route("terms-and-conditions", "routes/legal/terms-and-conditions.tsx"),
  route("legal", "routes/legal/legal.tsx"),

  route("dashboard", "routes/dashboard/page.tsx"),

  route("test-management", "routes/test-management/layout.tsx", [
    index("routes/test-management/start.ts"),
    route("select-api", "routes/test-management/select-api.tsx"),
    route(":apiId", "routes/test-management/api-layout.tsx", [route("tests", "routes/test-management/tests/list.tsx")]),
  ]),

  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;

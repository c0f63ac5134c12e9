import { Outlet } from "@remix-run/react";
import { Page } from "~/shell/page/page";

export default function Profile() {
  return (
    <Page>
      <Outlet />
    </Page>
  );
}

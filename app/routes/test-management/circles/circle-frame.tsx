import type { ReactNode } from "react";
import { Page } from "~/shell/page/page";

export interface CircleFrameProps {
  /** Undefined at the addresses that belong to no API, which stand in no other frame. */
  apiId: string | undefined;
  children: ReactNode;
}

export function CircleFrame({ apiId, children }: CircleFrameProps) {
  return apiId ? children : <Page>{children}</Page>;
}

import type { ReactNode } from "react";
import { Page } from "~/shell/page/page";

export interface CircleFrameProps {
  /** Undefined at addresses without an API, which have no outer frame. */
  apiId: string | undefined;
  children: ReactNode;
}

export function CircleFrame({ apiId, children }: CircleFrameProps) {
  return apiId ? children : <Page>{children}</Page>;
}

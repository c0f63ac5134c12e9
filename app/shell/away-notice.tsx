import { createContext, useContext } from "react";
import { whatIsAway } from "~/backend/parts";
import { Notice } from "~/ui/notice/notice";

const AwayServices = createContext<readonly string[]>([]);

export const AwayServicesProvider = AwayServices.Provider;

/** Which parts of the portal were away when this page asked them, so that something is left out of it. */
export function AwayNotice() {
  const services = useContext(AwayServices);
  if (services.length === 0) return null;
  return (
    <Notice tone="warning" title={whatIsAway([...services])}>
      What they would show is left out of this page. Reload it in a moment.
    </Notice>
  );
}

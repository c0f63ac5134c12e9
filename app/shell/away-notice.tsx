import { createContext, useContext } from "react";
import { whatIsAway } from "~/backend/parts";
import { Notice } from "~/ui/notice/notice";

const AwayServices = createContext<readonly string[]>([]);

export const AwayServicesProvider = AwayServices.Provider;

/** The services that were unavailable to this page, so that a part of it is missing. */
export function AwayNotice() {
  const services = useContext(AwayServices);
  if (services.length === 0) return null;
  return (
    <Notice tone="warning" title={whatIsAway([...services])}>
      Some data is unavailable. Try again shortly.
    </Notice>
  );
}

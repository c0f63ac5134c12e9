import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { loginFor, pickedIn } from "~/features/plans/picked-plan";
import { href } from "~/href";
import { requireVisitor } from "~/session/guards";
import { Main } from "~/shell/page/main";
import { Icon, type IconName } from "~/ui/icon/icon";
import { ByInvitationOnly } from "./by-invitation-only";
import * as styles from "./type-selection.css";

export const meta: MetaFunction = () => [{ title: "Register · API Assurance" }];

const kinds: {
  icon: IconName;
  name: string;
  words: string;
  kind: "individual" | "organization";
}[] = [
  {
    icon: "user",
    name: "Individual",
    words: "For yourself. You can invite others later.",
    kind: "individual",
  },
  {
    icon: "users",
    name: "Organization",
    words: "For a team or company. You become its administrator and can invite others.",
    kind: "organization",
  },
];

export function loader({ request, context }: LoaderFunctionArgs) {
  const serviceId = pickedIn(new URL(request.url).search);
  requireVisitor(context, serviceId);
  return { serviceId, byInvitation: context.registersByInvitation };
}

export default function RegistrationTypeSelection() {
  const { serviceId, byInvitation } = useLoaderData<typeof loader>();
  if (byInvitation) return <ByInvitationOnly serviceId={serviceId} />;
  return (
    <Main>
      <div className={styles.container}>
        <div className={styles.opening}>
          <h1>Who is the account for?</h1>
          <p className={styles.words}>Either way, you need an email address and a few minutes.</p>
        </div>
        <ul className={styles.choices}>
          {kinds.map(({ icon, name, words, kind }) => (
            <li key={name}>
              <a href={href(`/create-account-${kind}`, { serviceId })} className={styles.choice}>
                <Icon name={icon} className={styles.icon} />
                <h2 className={styles.name}>{name}</h2>
                <p className={styles.words}>{words}</p>
                <span className={styles.go}>
                  Continue <Icon name="arrow-right" />
                </span>
              </a>
            </li>
          ))}
        </ul>
        <p className={styles.words}>
          Were you invited? Use <a href={href("/register")}>the link in your invitation</a>. Registered already?{" "}
          <a href={loginFor(serviceId)}>Log in</a>.
        </p>
      </div>
    </Main>
  );
}

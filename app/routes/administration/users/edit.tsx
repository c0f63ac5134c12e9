import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { available, required } from "~/backend/responses";
import { describeBrowser } from "~/features/people/browser-words";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { Badge } from "~/ui/badge/badge";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { AccountForm } from "./account-form";
import { RoleCard } from "./role-card";
import { SignInCard } from "./sign-in-card";
import { handleUserForm } from "./user-action.server";
import { readQuestion, UserDialog } from "./user-dialog";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.user.fullName ?? "User"} · API Assurance` },
];

const list = href("/administration/user-management");
const displayedSessions = 5;

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { backend, session, may } = await requireViewer(request, context);
  const userId = params.userId!;
  const { getUser, listUserSessions } = backend.securityService;
  const user = required(await getUser({ params: { userId } }));
  const sessions = await listUserSessions({ params: { userId }, query: { limit: displayedSessions } }).then(available);
  return {
    user,
    sessions: (sessions?.items ?? []).map(({ userAgent, ...item }) => ({
      ...item,
      browser: describeBrowser(userAgent),
    })),
    hasMoreSessions: Boolean(sessions?.nextCursor),
    isOwn: session.id === userId,
    mayChange: !user.roles.includes("SYSTEM_ADMIN") || may("system:manage"),
    question: readQuestion(new URL(request.url).searchParams),
    here: href("/administration/user-management/users/:userId/edit", { userId }),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  return await handleUserForm({ viewer, context, userId: params.userId!, form: await readForm(request) });
}

export default function EditUser() {
  const { user, sessions, hasMoreSessions, isOwn, mayChange, question, here } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>();
  const { fullName: name, username, email, roles, disabled, secondFactor } = user;
  return (
    <>
      <PageHeading
        title={name}
        description={`Username ${username}`}
        mark={
          isOwn ? (
            <Badge tone="info">You</Badge>
          ) : (
            disabled && (
              <Badge tone="warning" icon="lock">
                Disabled
              </Badge>
            )
          )
        }
        breadcrumbs={[{ label: "Users", href: list }, { label: name }]}
      />
      {!mayChange && (
        <Notice title="This is an operator account">Only operators of this installation can change it.</Notice>
      )}
      {mayChange && <AccountForm {...{ name, email, here, isOwn, lastResult }} />}
      <RoleCard {...{ name, roles, here, mayChange }} />
      <SignInCard
        {...{ isOwn, sessions, here, mayChange }}
        isDisabled={disabled}
        hasMore={hasMoreSessions}
        hasSecondFactor={secondFactor}
      />
      {question && mayChange && <UserDialog {...{ question, name, isOwn, here }} />}
    </>
  );
}

import type { MetaFunction } from "@remix-run/node";
import { ContactLink } from "~/shell/contact-link";
import { TextPage } from "~/shell/page/text-page";

export const meta: MetaFunction = () => [{ title: "Privacy policy · API Assurance" }];

export default function PrivacyPolicy() {
  return (
    <TextPage title="Privacy policy" description="What this portal stores about you, why, and for how long.">
      <h2>Who is responsible</h2>
      <p>
        The organization that operates this installation of the portal. Contact: <ContactLink />.
      </p>
      <h2>What is stored</h2>
      <ul>
        <li>Your account: username, name, email address, roles, and a hash of your password. Never the password.</li>
        <li>Your sessions: when you signed in, when you were last active, and your browser's name.</li>
        <li>Your data: API documents, tests, credentials, and the requests and responses of test executions.</li>
        <li>A log of requests to the portal, to keep it running and to diagnose problems.</li>
      </ul>
      <h2>What it is used for</h2>
      <p>
        To let you sign in and to do what you ask the portal to do. Nothing is sold or used for advertising, and your
        use of these pages is not tracked.
      </p>
      <h2 id="registering">Registering and invitations</h2>
      <ul>
        <li>
          Registering stores the email address you enter, the plan you choose and the name of the organization. If the
          account is not completed within 24 hours, the emailed link expires.
        </li>
        <li>
          The person inviting you gives us your email address and your roles. The invitation lists them and expires
          after 7 days. Opening it accepts nothing on your behalf.
        </li>
        <li>
          Links and codes emailed to you are stored only as hashes, so that no one who reads the database can use them.
        </li>
      </ul>
      <h2 id="mail">Email</h2>
      <p>
        The portal emails what you request: links, codes, invitations and notices about your account. Emails are
        encrypted while waiting to be sent, and go through the operator's mail server. There are no newsletters. A
        message from the contact page is emailed to the operator, with your name and address for the reply.
      </p>
      <h2 id="human-check">Forms that everyone can send</h2>
      <p>
        To stop automated abuse, your browser solves a small calculation while you fill in such a form; it reveals
        nothing about you. An operator may use another provider's check instead: then the form shows it, and that
        provider receives your IP address and what its script sees of your browser.
      </p>
      <p>
        The number of such forms and sign-in attempts per network address is stored for at most 24 hours, under a hash
        of the address. The networks you signed in from are stored for 30 days, also hashed, so that someone guessing
        your password locks out themselves and not you.
      </p>
      <h2>Secrets</h2>
      <p>
        Passwords, tokens and keys of credentials are stored encrypted and sent only to the host they belong to. They
        are masked in everything the portal shows, stores or logs.
      </p>
      <h2 id="cookies">Cookies</h2>
      <p>The portal sets only cookies that its pages need, and only after you accept them:</p>
      <ul>
        <li>
          <code>cookiesAccepted</code> remembers your choice for 30 days.
        </li>
        <li>
          <code>session</code>, in numbered parts, keeps you signed in for up to 10 hours. It is encrypted and not
          readable by scripts.
        </li>
        <li>
          <code>timeZone</code> stores the time zone used for trends, from your browser or as chosen by you, for 30
          days.
        </li>
        <li>
          <code>theme</code> stores your theme (light or dark) for a year.
        </li>
        <li>
          <code>styles</code> says that your browser has the style sheet of these pages, so that pages do without it,
          for a year.
        </li>
        <li>
          <code>account</code> stores, encrypted, which account was signed in here, for a day: a form sent after your
          session has ended is kept for ten minutes, without passwords and files, for that account only.
        </li>
      </ul>
      <p>
        Declining removes all cookies set by the portal. You can still read public pages; signing in requires the
        session cookie.
      </p>
      <h2>How long</h2>
      <p>
        Your data stays until you delete it. Deleting an API also deletes its documents, tests and executions. Sessions
        end after 10 hours or when you log out.
      </p>
      <h2>Your rights</h2>
      <p>
        You can ask what is stored about you, have it corrected, deleted or handed over, and complain to your
        supervisory authority. Write to the address above.
      </p>
    </TextPage>
  );
}

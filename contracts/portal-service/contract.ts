import { auditContract } from "../kit/audit-records.ts";
import { systemContract } from "../kit/system.ts";
import * as billingAddress from "./billing-address.ts";
import * as contact from "./contact.ts";
import * as deliveries from "./deliveries.ts";
import * as mail from "./mail.ts";
import { listMonthlyNumbers } from "./monthly-numbers.ts";
import * as notifications from "./notifications.ts";
import * as operatedPlans from "./operated-plans.ts";
import * as operatedSubscriptions from "./operated-subscriptions.ts";
import * as organizations from "./organizations.ts";
import { getPayment, listPayments } from "./payments.ts";
import { receivePayPalWebhook } from "./paypal-webhooks.ts";
import * as planChanges from "./plan-changes.ts";
import * as plans from "./plans.ts";
import { receiveEvent } from "./received-events.ts";
import * as reconciliations from "./reconciliations.ts";
import { getRetention } from "./retention.ts";
import * as sandboxMail from "./sandbox-mail.ts";
import * as keptForms from "./stored-forms.ts";
import * as subscriptions from "./subscriptions.ts";
import { getExecutionHistory, getUsage } from "./usage.ts";

export const portalServiceContract = {
  getCurrentOrganization: organizations.getCurrentOrganization,
  listServices: plans.listServices,
  listPricing: plans.listPricing,
  getPlan: plans.getPlan,
  getUsage,
  getExecutionHistory,
  getRetention,
  getMail: mail.getMail,
  sendTestLetter: mail.sendTestLetter,
  listWaitingWork: systemContract.listWaitingWork,
  listAuditRecords: auditContract.listAuditRecords,
  checkAuditChain: auditContract.checkAuditChain,
  receiveEvent,
  listNotifications: notifications.listNotifications,
  getNotification: notifications.getNotification,
  setNotificationState: notifications.setNotificationState,
  skipNotification: notifications.skipNotification,
  completeNotification: notifications.completeNotification,
  announcePaymentApproval: notifications.announcePaymentApproval,
  getPaymentProvider: subscriptions.getPaymentProvider,
  listSubscriptions: subscriptions.listSubscriptions,
  createSubscription: subscriptions.createSubscription,
  getSubscription: subscriptions.getSubscription,
  cancelSubscription: subscriptions.cancelSubscription,
  verifySubscription: subscriptions.verifySubscription,
  askProvider: subscriptions.askProvider,
  createPlanChange: planChanges.createPlanChange,
  withdrawPlanChange: planChanges.withdrawPlanChange,
  listSubscriptionEntries: subscriptions.listSubscriptionEntries,
  listPayments,
  getPayment,
  getBillingAddress: billingAddress.getBillingAddress,
  putBillingAddress: billingAddress.putBillingAddress,
  listCountries: billingAddress.listCountries,
  getCountryMetadata: billingAddress.getCountryMetadata,
  receivePayPalWebhook,
  listAllSubscriptions: operatedSubscriptions.listAllSubscriptions,
  getAnySubscription: operatedSubscriptions.getAnySubscription,
  listEntriesOfAny: operatedSubscriptions.listEntriesOfAny,
  listPaymentsOfAny: operatedSubscriptions.listPaymentsOfAny,
  askAboutAny: operatedSubscriptions.askAboutAny,
  suspendAny: operatedSubscriptions.suspendAny,
  activateAny: operatedSubscriptions.activateAny,
  cancelAny: operatedSubscriptions.cancelAny,
  listReconciliations: reconciliations.listReconciliations,
  createReconciliation: reconciliations.createReconciliation,
  getReconciliation: reconciliations.getReconciliation,
  listReconciledDifferences: reconciliations.listReconciledDifferences,
  listMonthlyNumbers,
  listOperatedPlans: operatedPlans.listOperatedPlans,
  getOperatedPlan: operatedPlans.getOperatedPlan,
  createPlan: operatedPlans.createPlan,
  changePlan: operatedPlans.changePlan,
  offerPlanPrice: operatedPlans.offerPlanPrice,
  retirePlan: operatedPlans.retirePlan,
  offerPlan: operatedPlans.offerPlan,
  listDeliveries: deliveries.listDeliveries,
  getDelivery: deliveries.getDelivery,
  sendContactMessage: contact.sendContactMessage,
  listSandboxMail: sandboxMail.listSandboxMail,
  getSandboxLetter: sandboxMail.getSandboxLetter,
  keepForm: keptForms.keepForm,
  getKeptForm: keptForms.getKeptForm,
};

import * as suggestions from "./suggestions.ts";
import * as trends from "./trends.ts";
import * as verifications from "./verifications.ts";

export const testAnalyzerContract = {
  judgeResponse: verifications.judgeResponse,
  judgeExecutions: verifications.judgeExecutions,
  listVerifications: verifications.listVerifications,
  suggestTests: suggestions.suggestTests,
  getCoverage: trends.getCoverage,
  getTrends: trends.getTrends,
};

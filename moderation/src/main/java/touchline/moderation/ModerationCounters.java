package touchline.moderation;

/**
 * What has been counted since the start: of one session, or of all together. Immutable.
 *
 * @param sampled frames taken for analysis
 * @param analysed frames that got an answer, be it an error of a model
 * @param dropped frames given up unanalysed because analysis or reporting fell behind
 * @param failed analysed frames that a model failed at
 * @param undecodable stretches up to a key frame that could not be decoded
 */
public record ModerationCounters(
        long sampled, long analysed, long dropped, long failed, long undecodable) {}

package touchline.moderation;

/**
 * Counters since the start, of one session or of the whole service. Immutable.
 *
 * @param sampled frames taken for analysis
 * @param analysed frames with an answer from the models, which may be an error
 * @param dropped frames not analysed because analysis or reporting fell behind
 * @param failed frames that could not be taken, and analysed frames for which a model failed
 * @param undecodable GOPs whose rest could not be decoded
 * @param errors unexpected exceptions; each one is a bug or a failing host
 */
public record ModerationCounters(
        long sampled, long analysed, long dropped, long failed, long undecodable, long errors) {}

package touchline.media;

/**
 * An item of a feed, in decode order: a {@link Timeline}, then its {@link AccessUnit}s, then
 * optionally an {@link Interruption} and another timeline.
 */
public sealed interface FeedItem permits Timeline, AccessUnit, Interruption {}

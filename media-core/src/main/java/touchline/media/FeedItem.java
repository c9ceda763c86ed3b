package touchline.media;

/**
 * What flows through a feed, in decode order: a {@link Timeline} first, then its {@link
 * AccessUnit}s, then perhaps an {@link Interruption} and another timeline.
 */
public sealed interface FeedItem permits Timeline, AccessUnit, Interruption {}

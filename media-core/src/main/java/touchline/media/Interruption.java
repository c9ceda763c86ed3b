package touchline.media;

/**
 * The publisher has gone and may come back: everything before it may be finished and shown. What
 * follows, if anything, is a new {@link Timeline}.
 */
public enum Interruption implements FeedItem {
    PUBLISHER_GONE
}

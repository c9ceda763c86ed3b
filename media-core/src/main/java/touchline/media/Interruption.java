package touchline.media;

/**
 * The publisher has disconnected and may reconnect. Everything before this item can be completed
 * and published. Only a new {@link Timeline} can follow.
 */
public enum Interruption implements FeedItem {
    PUBLISHER_GONE
}

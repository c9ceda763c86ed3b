package touchline.media.hub;

/** The publications that a session may have at the same time, each admitted by a key of its own. */
public enum PublishSource {
    PRIMARY,
    BACKUP
}

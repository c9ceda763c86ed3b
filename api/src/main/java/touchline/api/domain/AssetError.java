package touchline.api.domain;

/**
 * The reason why an asset is incomplete or not playable. Immutable.
 *
 * @param type one of the constants, or one of a clip's job
 * @param message for people
 */
public record AssetError(String type, String message) {
    /** The session ended before a segment was stored. */
    public static final String NOTHING_RECORDED = "nothing_recorded";

    /** Recording stopped because the disk had less free than storage.min-free. */
    public static final String LOW_SPACE = "low_space";

    /** Recording stopped because the disk reported an error. */
    public static final String DISK = "disk";

    /** Recording stopped because the disk could not keep up. */
    public static final String DISK_TOO_SLOW = "disk_too_slow";

    /** The recording of a crashed server could not be read. */
    public static final String UNREADABLE = "unreadable";

    /** A clip starts with the key frame before its start: its frames cannot be encoded here. */
    public static final String CUT_AT_KEY_FRAME = "cut_at_key_frame";

    /** The clip's source was deleted before it could be cut. */
    public static final String SOURCE_DELETED = "source_deleted";

    /** A clip without a frame: its ends are between two frames, or in a gap. */
    public static final String EMPTY_RANGE = "empty_range";

    /** Some ranges of a clip have video, and others have none. */
    public static final String MIXED_MEDIA = "mixed_media";

    /** The clip could not be cut. */
    public static final String NOT_CUT = "not_cut";

    /** The asset's files were missing at a start of the server. Each start checks again. */
    public static final String FILES_MISSING = "files_missing";
}

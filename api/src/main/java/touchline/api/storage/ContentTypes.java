package touchline.api.storage;

/** Content types of output files. Stateless. */
final class ContentTypes {
    static final String OTHER = "application/octet-stream";

    private ContentTypes() {}

    static String of(String fileName) {
        int dot = fileName.lastIndexOf('.');
        return switch (fileName.substring(dot + 1)) {
            case "mp4", "m4s" -> "video/mp4";
            case "m3u8" -> "application/vnd.apple.mpegurl";
            case "mpd" -> "application/dash+xml";
            case "flv" -> "video/x-flv";
            default -> OTHER;
        };
    }
}

package touchline.ingest.rtmp;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds the stream key: in the publish name, or at the end of the app's path. Encoders split {@code
 * rtmp://host/live/KEY} at different places, and some require a name after the key. Stateless, any
 * thread.
 */
final class StreamKeys {
    /** No stream key is longer. */
    static final int MAX_CHARACTERS = 512;

    private StreamKeys() {}

    /**
     * Possible keys, the most likely first.
     *
     * @param app of the connect command, empty where there was none
     * @param name of the publish command, empty where there was none
     */
    static List<String> candidates(String app, String name) {
        List<String> candidates = new ArrayList<>(2);
        for (String text : List.of(name, app)) {
            String key = lastSegment(text);
            if (!key.isEmpty() && key.length() <= MAX_CHARACTERS && !candidates.contains(key)) {
                candidates.add(key);
            }
        }
        return candidates;
    }

    private static String lastSegment(String text) {
        int query = text.indexOf('?');
        String path = query < 0 ? text : text.substring(0, query);
        int end = path.length();
        while (end > 0 && isPadding(path.charAt(end - 1))) {
            end--;
        }
        return path.substring(path.lastIndexOf('/', end - 1) + 1, end).strip();
    }

    /** A key that was copied often has a blank or a line end around it. */
    private static boolean isPadding(char character) {
        return character == '/' || Character.isWhitespace(character);
    }
}

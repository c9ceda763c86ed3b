package touchline.config;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The keys of {@code application.yaml} and their environment variables. Immutable.
 *
 * <p>Every key has a derived name (TOUCHLINE_, upper case, _ for dot and dash). Some keys also have
 * a shorter fixed name.
 */
final class KnownKeys {
    static final String PREFIX = "TOUCHLINE_";

    private static final Map<String, String> FIXED_NAMES =
            Map.of(
                    "TOUCHLINE_RTMPS_PORT", "tls.rtmps-port",
                    "TOUCHLINE_ADMIN_SECRET", "auth.admin-secret",
                    "TOUCHLINE_MASTER_KEY", "auth.master-key",
                    "TOUCHLINE_CHROMIUM", "overlay.chromium",
                    "TOUCHLINE_MODELS_DIR", "moderation.models-dir",
                    "TOUCHLINE_INFERENCE_DEVICE", "moderation.device",
                    "TOUCHLINE_VIDEO_ENCODER", "encoder.video");

    private final Set<String> keys;
    private final Map<String, String> keyByVariable = new LinkedHashMap<>();

    /**
     * @param keys every key that has a default
     */
    KnownKeys(Set<String> keys) {
        this.keys = Set.copyOf(keys);
        for (String key : keys) {
            keyByVariable.put(variableByRule(key), key);
        }
        keyByVariable.putAll(FIXED_NAMES);
    }

    boolean contains(String key) {
        return keys.contains(key);
    }

    /** Whether the key is a section with keys below it, like {@code rtmp}. */
    boolean isSection(String key) {
        return keys.stream().anyMatch(known -> known.startsWith(key + "."));
    }

    /** Returns the key of an environment variable. */
    Optional<String> keyOf(String variable) {
        return Optional.ofNullable(keyByVariable.get(variable));
    }

    /** Returns the documented variable: the fixed name if there is one, else the derived name. */
    String variableOf(String key) {
        for (Map.Entry<String, String> fixed : FIXED_NAMES.entrySet()) {
            if (fixed.getValue().equals(key)) {
                return fixed.getKey();
            }
        }
        return variableByRule(key);
    }

    String nearestKey(String wrong) {
        return nearest(wrong, keys);
    }

    String nearestVariable(String wrong) {
        return nearest(wrong, keyByVariable.keySet());
    }

    private static String variableByRule(String key) {
        return PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    private static String nearest(String wrong, Set<String> candidates) {
        String best = "";
        int bestDistance = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            int distance = editDistance(wrong, candidate);
            boolean earlier = distance == bestDistance && candidate.compareTo(best) < 0;
            if (distance < bestDistance || earlier) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return best;
    }

    /** Levenshtein distance: number of insertions, deletions and replacements between two texts. */
    private static int editDistance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}

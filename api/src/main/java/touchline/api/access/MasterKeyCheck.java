package touchline.api.access;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import touchline.api.db.SealedTexts;

/** Compares the master keys with those that the database needs. */
public final class MasterKeyCheck {
    private MasterKeyCheck() {}

    /**
     * Checks at the start that the keys open all that the database holds.
     *
     * @throws SecretException naming the ids of the keys that are missing, and of those given
     */
    public static void run(MasterKeys given, SealedTexts stored) {
        List<String> ids = given.ids();
        List<String> missing = new ArrayList<>(inUse(stored));
        missing.removeAll(ids);
        if (!missing.isEmpty()) {
            throw new SecretException(
                    "auth.master-key: the secrets in the database are under the master key %s (expected), and the given key is %s (%s).%nGive the expected key as auth.master-key, or as a further line of the file %s of the data folder"
                            .formatted(
                                    String.join(", ", missing),
                                    String.join(", ", ids),
                                    given.origin(),
                                    MasterKeys.FILE));
        }
    }

    /** Ids of the keys without which a server on this database lacks something, current first. */
    public static List<String> needed(MasterKeys given, SealedTexts stored) {
        Set<String> needed = new LinkedHashSet<>();
        needed.add(given.ids().getFirst());
        needed.addAll(inUse(stored));
        return List.copyOf(needed);
    }

    /** Ids of the keys that something is sealed under. */
    private static Set<String> inUse(SealedTexts stored) {
        Set<String> ids = new TreeSet<>();
        for (String beginning : stored.beginnings(SecretBox.KEY_ID_END)) {
            ids.add(SecretBox.keyIdAt(beginning));
        }
        return ids;
    }
}

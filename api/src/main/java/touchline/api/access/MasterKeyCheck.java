package touchline.api.access;

import java.util.ArrayList;
import java.util.List;
import touchline.api.db.SealedTexts;

/** Checks at the start that the master keys open all that the database holds. */
public final class MasterKeyCheck {
    private MasterKeyCheck() {}

    /**
     * @throws SecretException naming the ids of the keys that are missing, and of those given
     */
    public static void run(MasterKeys given, SealedTexts stored) {
        List<String> ids = given.ids();
        List<String> missing = new ArrayList<>();
        for (String beginning : stored.beginnings(SecretBox.KEY_ID_END)) {
            String id = SecretBox.keyIdAt(beginning);
            if (!ids.contains(id)) {
                missing.add(id);
            }
        }
        if (!missing.isEmpty()) {
            throw new SecretException(
                    "auth.master-key: the secrets in the database are under the master key %s (expected), and the given key is %s (%s).%nGive the expected key as auth.master-key, or as a further line of the file %s of the data folder"
                            .formatted(
                                    String.join(", ", missing.stream().sorted().toList()),
                                    String.join(", ", ids),
                                    given.origin(),
                                    MasterKeys.FILE));
        }
    }
}

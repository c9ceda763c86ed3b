package touchline.api.access;

import java.nio.file.Path;
import java.util.Optional;
import touchline.api.domain.RandomText;

/** The secret of the bootstrap token {@code admin}. Any thread. */
public final class AdminSecret {
    /** Name of the file in the data folder. */
    public static final String FILE = "admin-secret";

    private static final int RANDOM_BITS = 256;

    private AdminSecret() {}

    /** A new secret, for a server that lives only as long as its process. */
    public static String create() {
        return RandomText.ofBits(RANDOM_BITS);
    }

    /**
     * The configured secret, else the file's, which is made at the first start.
     *
     * @param configured {@code auth.admin-secret}, which the configuration has checked
     * @throws SecretException when the file cannot be read or made
     */
    public static String load(Optional<String> configured, Path dataDir) {
        if (configured.isPresent()) {
            return configured.get();
        }
        return new SecretFile(dataDir.resolve(FILE)).readOrCreate(AdminSecret::create);
    }
}

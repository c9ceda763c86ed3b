package touchline.api.access;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The server's master keys: the current one, and older ones that may still open what lies under
 * them. Never used themselves: each purpose has a key of its own, derived by HKDF (RFC 5869).
 * Immutable, any thread.
 */
public final class MasterKeys {
    /** Name of the file in the data folder: one key a line, base64, the current one first. */
    public static final String FILE = "master-key";

    private static final int KEY_BYTES = 32;

    /** Length of a key's id; its text is hexadecimal. */
    static final int ID_BYTES = 4;

    private static final String KEY = "auth.master-key";

    /**
     * A key for one purpose.
     *
     * @param masterId names the master key that it comes from; not secret
     */
    record Derived(String masterId, SecretKey key) {
        @Override
        public String toString() {
            return "Derived[masterId=" + masterId + ", key=masked]";
        }
    }

    private final List<byte[]> roots;
    private final String origin;

    private MasterKeys(List<byte[]> roots, String origin) {
        this.roots = roots;
        this.origin = origin;
    }

    /**
     * The configured key, else the file's; the file is made at the first start without either. With
     * a configured key the file's keys, where there is one, still open what lies under them.
     *
     * @param configured {@code auth.master-key}: base64 of 32 bytes
     * @throws SecretException when a key is malformed, or the file cannot be read or made
     */
    public static MasterKeys load(Optional<String> configured, Path dataDir) {
        Path path = dataDir.resolve(FILE);
        SecretFile file = new SecretFile(path);
        List<byte[]> roots = new ArrayList<>();
        Optional<String> stored = file.read();
        String origin;
        if (configured.isPresent()) {
            roots.add(parse(configured.get().strip(), KEY));
            stored.ifPresent(text -> addLines(roots, text, path));
            origin = stored.isPresent() ? "configured, and in " + path : "configured";
        } else {
            addLines(roots, file.readOrCreate(MasterKeys::newKey), path);
            origin = (stored.isPresent() ? "in " : "made by this start in ") + path;
        }
        return new MasterKeys(roots, origin);
    }

    /** Where the keys came from, for people. */
    String origin() {
        return origin;
    }

    /** Ids of the keys, the current one first. They reveal nothing about the keys. */
    public List<String> ids() {
        return roots.stream().map(MasterKeys::id).distinct().toList();
    }

    /** The keys as the file has them: secret, for a backup that its owner wants to be complete. */
    public String fileText() {
        return roots.stream()
                .map(Base64.getEncoder()::encodeToString)
                .distinct()
                .collect(Collectors.joining("\n"));
    }

    private static String id(byte[] root) {
        return HexFormat.of().formatHex(expand(root, "key id", ID_BYTES));
    }

    private static String newKey() {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return Base64.getEncoder().encodeToString(key);
    }

    private static void addLines(List<byte[]> roots, String text, Path path) {
        text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .forEach(line -> roots.add(parse(line, path.toString())));
    }

    private static byte[] parse(String text, String place) {
        byte[] key;
        try {
            key = Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException _) {
            throw new SecretException(place + ": malformed (expected: base64 of 32 bytes)");
        }
        if (key.length != KEY_BYTES) {
            throw new SecretException(
                    place + ": " + key.length + " bytes (expected: base64 of 32 bytes)");
        }
        return key;
    }

    /** The keys for a purpose, the current one first. Different purposes share nothing. */
    List<Derived> derive(String purpose, String algorithm) {
        Map<String, Derived> derived = new LinkedHashMap<>();
        for (byte[] root : roots) {
            String id = id(root);
            SecretKey key = new SecretKeySpec(expand(root, purpose, KEY_BYTES), algorithm);
            derived.putIfAbsent(id, new Derived(id, key));
        }
        return List.copyOf(derived.values());
    }

    private static byte[] expand(byte[] root, String purpose, int length) {
        byte[] info = ("touchline " + purpose).getBytes(StandardCharsets.UTF_8);
        try {
            // Of the JDK: a search through all providers loads those of the class path, in 0.2 s.
            return KDF.getInstance("HKDF-SHA256", "SunJCE")
                    .deriveData(
                            HKDFParameterSpec.ofExtract().addIKM(root).thenExpand(info, length));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HKDF-SHA256 is part of every JDK 25", e);
        }
    }
}

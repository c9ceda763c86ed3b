package touchline.api.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import touchline.config.ServerConfig;

/**
 * The names under which clients may address the control API. A browser sends the name in the
 * address bar: with DNS rebinding it is the attacker's. Addresses and names without a dot are no
 * names that an attacker can have in the public DNS, so they are known. Immutable, any thread.
 */
final class HostNames {
    private static final Path OWN_NAME = Path.of("/proc/sys/kernel/hostname");
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[.*]");
    private static final Pattern PORT = Pattern.compile(":[0-9]*$");

    /** RFC 6761, 6.3. */
    private static final String LOCALHOST = ".localhost";

    /** Type of a DNS name in a certificate (RFC 5280, 4.2.1.6). */
    private static final int DNS_NAME = 2;

    private static final String WILDCARD = "*.";

    private final Set<String> names;

    /**
     * @param names host names; one that begins with {@code *.} stands for all of one more label
     */
    HostNames(Collection<String> names) {
        this.names = new HashSet<>();
        names.forEach(name -> this.names.add(plain(name)));
    }

    /** The configured names, those of the certificate, and the name of the machine. */
    static HostNames of(ServerConfig config) {
        Set<String> names = new HashSet<>(config.api().hostNames());
        names.add(config.api().host());
        names.add(Objects.requireNonNullElse(config.publicUrls().apiUrl().getHost(), ""));
        config.tls().cert().ifPresent(file -> names.addAll(certified(file)));
        try {
            names.add(Files.readString(OWN_NAME).strip());
        } catch (IOException _) {
            // The machine does not say its name: the others are known.
        }
        return new HostNames(names);
    }

    /**
     * @param authority the header {@code Host}: a name or an address, and perhaps a port
     */
    boolean knows(String authority) {
        String host = plain(PORT.matcher(authority).replaceFirst(""));
        int dot = host.indexOf('.');
        return dot < 0
                || ADDRESS.matcher(host).matches()
                || host.endsWith(LOCALHOST)
                || names.contains(host)
                || names.contains("*" + host.substring(dot));
    }

    /** Lower case, without the dot of the root. */
    private static String plain(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }

    /** The names that browsers accept for the certificate. */
    private static Set<String> certified(Path file) {
        Set<String> names = new HashSet<>();
        try (InputStream pem = Files.newInputStream(file)) {
            Certificate own = CertificateFactory.getInstance("X.509").generateCertificate(pem);
            Collection<List<?>> alternatives =
                    own instanceof X509Certificate x509 ? x509.getSubjectAlternativeNames() : null;
            for (List<?> name : Objects.requireNonNullElse(alternatives, List.<List<?>>of())) {
                if (name.getFirst().equals(DNS_NAME)) {
                    names.add(String.valueOf(name.get(1)));
                }
            }
        } catch (IOException | CertificateException _) {
            // The start checks the certificate, and says what is wrong with it.
            return names;
        }
        names.removeIf(name -> name.equals(WILDCARD));
        return names;
    }
}

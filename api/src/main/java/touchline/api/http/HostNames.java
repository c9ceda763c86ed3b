package touchline.api.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import touchline.config.ServerConfig;
import touchline.media.tls.CurrentCertificate;
import touchline.media.tls.ServerCertificate;

/**
 * The names under which clients may address the control API. A browser sends the name in the
 * address bar: with DNS rebinding it is the attacker's. Addresses and names without a dot are no
 * names that an attacker can have in the public DNS, so they are known. Any thread.
 */
final class HostNames {
    private static final Path OWN_NAME = Path.of("/proc/sys/kernel/hostname");
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[.*]");
    private static final Pattern PORT = Pattern.compile(":[0-9]*$");

    /** RFC 6761, 6.3. */
    private static final String LOCALHOST = ".localhost";

    private static final String WILDCARD = "*.";

    private final Set<String> names;
    private final Supplier<List<String>> certified;

    /**
     * @param names host names; one that begins with {@code *.} stands for all of one more label
     */
    HostNames(Collection<String> names) {
        this(names, List::of);
    }

    private HostNames(Collection<String> names, Supplier<List<String>> certified) {
        this.names = new HashSet<>();
        names.forEach(name -> this.names.add(plain(name)));
        this.certified = certified;
    }

    /**
     * The configured names, those of the certificate, and the name of the machine.
     *
     * @param certificate as it is when a request asks; empty: no TLS
     */
    static HostNames of(ServerConfig config, Optional<CurrentCertificate> certificate) {
        Set<String> names = new HashSet<>(config.api().hostNames());
        names.add(config.api().host());
        names.add(Objects.requireNonNullElse(config.publicUrls().apiUrl().getHost(), ""));
        try {
            names.add(Files.readString(OWN_NAME).strip());
        } catch (IOException _) {
            // The machine does not say its name: the others are known.
        }
        return new HostNames(
                names,
                () ->
                        certificate
                                .map(CurrentCertificate::get)
                                .map(ServerCertificate::names)
                                .orElse(List.of()));
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
                || names.contains("*" + host.substring(dot))
                || isCertified(host, "*" + host.substring(dot));
    }

    /** Whether browsers accept the name for the certificate. */
    private boolean isCertified(String host, String wildcard) {
        return certified.get().stream()
                .map(HostNames::plain)
                .filter(name -> !name.equals(WILDCARD))
                .anyMatch(name -> name.equals(host) || name.equals(wildcard));
    }

    /** Lower case, without the dot of the root. */
    private static String plain(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }
}

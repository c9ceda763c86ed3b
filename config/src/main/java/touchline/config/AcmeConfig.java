package touchline.config;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * {@code tls.acme}: certificates from a directory by ACME (RFC 8555); disabled without domains.
 *
 * @param domains host names of the certificate, in lower case, the first is its main name
 * @param email contact of the account
 * @param directory the address of the directory's JSON document
 * @param httpPort where HTTP-01 challenges are answered; 0: they are not used
 * @param ca PEM file of certificates that the directory's own certificate is trusted by; empty: as
 *     the Java runtime does
 */
public record AcmeConfig(
        List<String> domains,
        Optional<String> email,
        URI directory,
        int httpPort,
        Optional<Path> ca) {
    /** Let's Encrypt. */
    public static final URI LETS_ENCRYPT =
            URI.create("https://acme-v02.api.letsencrypt.org/directory");

    /** No certificate by ACME. */
    public static final AcmeConfig OFF =
            new AcmeConfig(List.of(), Optional.empty(), LETS_ENCRYPT, 80, Optional.empty());

    public AcmeConfig {
        domains = List.copyOf(domains);
    }

    public boolean isEnabled() {
        return !domains.isEmpty();
    }
}

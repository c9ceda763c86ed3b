package touchline.api.egress;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import touchline.media.net.AddressRules;

/**
 * Rejects an address when a client gives it: a refused literal in any spelling, or a name with any
 * refused address. A name that does not resolve is accepted, because each connection is checked
 * again. Any thread; blocks on name resolution.
 */
public final class PublicUrlRules {
    private static final String NO_HOST =
            "no plain host (expected: a name or an address, no user name, no fragment)";

    private final AddressGuard guard;

    @FunctionalInterface
    private interface Check {
        List<InetAddress> addresses(String host) throws UnknownHostException;
    }

    /** With the system's resolver. */
    public PublicUrlRules(AddressRules rules) {
        this(AddressGuard.ofSystem(rules));
    }

    PublicUrlRules(AddressGuard guard) {
        this.guard = guard;
    }

    /**
     * The reason to reject an address; empty for an accepted one.
     *
     * @param url absolute
     */
    public Optional<String> refusal(URI url) {
        return url.getHost() == null
                ? Optional.of(NO_HOST)
                : refusal(url.getHost(), guard::permitted);
    }

    /**
     * The reason to reject an address for events and notifications; empty for an accepted one. It
     * has to be https, or http to an address that {@code egress.allow} names, without credentials
     * and fragment.
     *
     * @param text as the client gave it
     */
    public Optional<String> receiverRefusal(String text) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException _) {
            return Optional.of("malformed (expected: an https address)");
        }
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") && !scheme.equals("http")) {
            return Optional.of("scheme not accepted (expected: https)");
        }
        if (url.getHost() == null || url.getRawUserInfo() != null || url.getRawFragment() != null) {
            return Optional.of(NO_HOST);
        }
        if (url.getPort() == 0 || url.getPort() > 65_535) {
            return Optional.of("port not accepted (expected: 1 to 65535)");
        }
        Optional<String> refusal = refusal(url);
        return refusal.isPresent() || scheme.equals("https") ? refusal : plainRefusal(url);
    }

    private Optional<String> plainRefusal(URI url) {
        try {
            guard.allowedByName(url.getHost());
            return Optional.empty();
        } catch (UnknownHostException _) {
            // Also without an address now: it is not known to be allowed.
            return Optional.of("http (expected: https, or a host that egress.allow names)");
        }
    }

    private static Optional<String> refusal(String host, Check check) {
        try {
            check.addresses(host);
            return Optional.empty();
        } catch (RefusedAddressException e) {
            return Optional.of(e.reason());
        } catch (UnknownHostException _) {
            // It may resolve later. Each connection is checked.
            return Optional.empty();
        }
    }
}

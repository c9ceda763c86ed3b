package touchline.api.http;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import touchline.media.net.AddressRules;

/**
 * Refuses addresses that lead into this house: a literal in any spelling, or a name of which any
 * address is refused now. A name that does not resolve is let through, since every connection is
 * checked again when it is made. Any thread; blocks on name resolution.
 */
public final class PublicUrlRules implements UrlRules {
    private static final String REFUSED =
            "host leads to an address that may not be reached (see egress.allow)";

    /** Looks a name up. */
    @FunctionalInterface
    public interface Resolver {
        /** All addresses of a name; empty where it has none. */
        List<InetAddress> resolve(String host);
    }

    private final AddressRules rules;
    private final Resolver resolver;

    /** With the system's resolver. */
    public PublicUrlRules(AddressRules rules) {
        this(rules, PublicUrlRules::lookUp);
    }

    PublicUrlRules(AddressRules rules, Resolver resolver) {
        this.rules = rules;
        this.resolver = resolver;
    }

    @Override
    public Optional<String> refusal(URI url) {
        String host = url.getHost();
        boolean refused =
                AddressRules.literal(host).isPresent()
                        ? rules.refusesLiteral(host)
                        : resolver.resolve(host).stream().anyMatch(a -> !rules.permits(a));
        return refused ? Optional.of(REFUSED) : Optional.empty();
    }

    private static List<InetAddress> lookUp(String host) {
        try {
            return List.of(InetAddress.getAllByName(host));
        } catch (UnknownHostException _) {
            // Perhaps it will resolve when it is used; it is checked then.
            return List.of();
        }
    }
}

package touchline.api.app;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import touchline.api.http.UrlRules;
import touchline.media.net.AddressRules;

/**
 * What of an address can be refused when it is given: a literal that may not be reached in any
 * spelling, and a name of which any address may not be reached now. A name that does not resolve is
 * accepted; the address really connected to is checked again when it is used.
 */
final class EgressUrls implements UrlRules {
    private final AddressRules rules;

    /**
     * @param allow CIDRs that may be reached besides public addresses
     */
    EgressUrls(List<String> allow) {
        rules = AddressRules.allowing(allow);
    }

    @Override
    public Optional<String> refusal(URI url) {
        String host = url.getHost();
        if (rules.refusesLiteral(host)) {
            return Optional.of("address " + host + " may not be reached (egress.allow)");
        }
        if (AddressRules.literal(host).isPresent()) {
            return Optional.empty();
        }
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                if (!rules.permits(address)) {
                    return Optional.of(
                            host
                                    + " resolves to an address that may not be reached (egress.allow)");
                }
            }
        } catch (UnknownHostException _) {
            // It may resolve when it is used, and is checked then.
            return Optional.empty();
        }
        return Optional.empty();
    }
}

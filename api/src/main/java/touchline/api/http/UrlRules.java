package touchline.api.http;

import java.net.URI;
import java.util.Optional;

/** Rules for addresses of web pages that clients give. Any thread; may resolve names. */
@FunctionalInterface
public interface UrlRules {
    /**
     * The reason to reject an address; empty for an accepted one.
     *
     * @param url absolute, with scheme http or https and a host
     */
    Optional<String> refusal(URI url);
}

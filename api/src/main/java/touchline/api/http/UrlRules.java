package touchline.api.http;

import java.net.URI;
import java.util.Optional;

/** Which addresses a client may have this server fetch from. Any thread; may resolve names. */
@FunctionalInterface
public interface UrlRules {
    /**
     * Why an address is refused for sure; empty where it may be tried.
     *
     * @param url absolute, with scheme http or https and a host
     */
    Optional<String> refusal(URI url);
}

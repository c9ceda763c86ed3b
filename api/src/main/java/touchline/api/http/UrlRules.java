package touchline.api.http;

import java.util.Optional;

/** Which addresses a client may have this server fetch from. Any thread; may resolve names. */
@FunctionalInterface
public interface UrlRules {
    /** Why an address is refused for sure; empty where it may be tried. */
    Optional<String> refusal(String url);
}

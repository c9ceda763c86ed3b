package touchline.api.app;

import java.util.Optional;
import touchline.api.access.SignInCode;

/**
 * What differs between servers of one configuration.
 *
 * @param pages renders web pages
 * @param signIn a code that the console may exchange for a token
 */
record Start(Pages pages, Optional<SignInCode> signIn) {
    static final Start USUAL = new Start(Pages.CHROMIUM, Optional.empty());
}

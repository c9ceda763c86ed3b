package touchline.api.app;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import touchline.api.access.SignInCode;
import touchline.api.vod.TranscodingLimits;

/**
 * What differs between servers of one configuration.
 *
 * @param pages renders web pages
 * @param signIn a code that the console may exchange for a token
 * @param transcodingPauses before each retry of a transcoding request
 * @param workers what workers have on this host
 */
record Start(
        Pages pages,
        Optional<SignInCode> signIn,
        List<Duration> transcodingPauses,
        ServerIsolation.Host workers) {
    static final Start USUAL =
            new Start(
                    Pages.CHROMIUM,
                    Optional.empty(),
                    TranscodingLimits.PAUSES,
                    ServerIsolation.Host.USUAL);

    Start with(Pages other) {
        return new Start(other, signIn, transcodingPauses, workers);
    }

    Start with(SignInCode code) {
        return new Start(pages, Optional.of(code), transcodingPauses, workers);
    }

    Start with(List<Duration> pauses) {
        return new Start(pages, signIn, pauses, workers);
    }

    Start with(ServerIsolation.Host other) {
        return new Start(pages, signIn, transcodingPauses, other);
    }
}

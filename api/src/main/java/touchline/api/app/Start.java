package touchline.api.app;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import touchline.api.access.SignInCode;
import touchline.api.vod.TranscodingLimits;
import touchline.media.worker.WorkerIsolation;

/**
 * What differs between servers of one configuration.
 *
 * @param pages renders web pages
 * @param signIn a code that the console may exchange for a token
 * @param transcodingPauses before each retry of a transcoding request
 * @param isolation finds out how this host separates workers
 */
record Start(
        Pages pages,
        Optional<SignInCode> signIn,
        List<Duration> transcodingPauses,
        ServerIsolation.Probe isolation) {
    static final Start USUAL =
            new Start(
                    Pages.CHROMIUM,
                    Optional.empty(),
                    TranscodingLimits.PAUSES,
                    WorkerIsolation::probe);

    Start with(Pages other) {
        return new Start(other, signIn, transcodingPauses, isolation);
    }

    Start with(SignInCode code) {
        return new Start(pages, Optional.of(code), transcodingPauses, isolation);
    }

    Start with(List<Duration> pauses) {
        return new Start(pages, signIn, pauses, isolation);
    }

    Start with(ServerIsolation.Probe other) {
        return new Start(pages, signIn, transcodingPauses, other);
    }
}

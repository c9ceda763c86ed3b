package touchline.api;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import touchline.testing.fuzz.FuzzTarget;
import touchline.testing.fuzz.FuzzTargets;
import touchline.testing.fuzz.ShortFuzzRun;

final class FuzzTest {
    static Stream<FuzzTarget> targets() {
        return FuzzTargets.below("touchline.api.");
    }

    @ParameterizedTest
    @MethodSource("targets")
    void target_seedsAndMutations_holds(FuzzTarget target) {
        ShortFuzzRun.of(target);
    }
}

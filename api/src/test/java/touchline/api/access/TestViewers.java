package touchline.api.access;

import java.time.InstantSource;

/** Viewer access with keys of the test, for tests of other packages. */
public final class TestViewers {
    private TestViewers() {}

    public static ViewerAccess knowing(TokenForge... forges) {
        VerifyingKeys keys = new VerifyingKeys(new LastUses(_ -> {}, InstantSource.system()));
        for (TokenForge forge : forges) {
            keys.put(forge.stored());
        }
        InstantSource clock = InstantSource.system();
        return new ViewerAccess(keys, new Grants(Keys.of(1), clock), clock, 8);
    }
}

package touchline.benchmarks.supply;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class MavenVersionTest {
    @Test
    void versions_inOrder_compareAsMavenDoes() {
        List<String> inOrder =
                List.of(
                        "1.0-alpha-1",
                        "1.0-beta2",
                        "1.0-rc1",
                        "1.0-SNAPSHOT",
                        "1.0",
                        "1.0.1",
                        "1.9",
                        "1.10",
                        "2.0.84.Final",
                        "4.2.18.Final",
                        "8.0.1-1.5.12",
                        "8.0.1-1.5.13");
        for (int i = 1; i < inOrder.size(); i++) {
            MavenVersion before = new MavenVersion(inOrder.get(i - 1));
            assertTrue(before.compareTo(new MavenVersion(inOrder.get(i))) < 0, inOrder.get(i));
            assertTrue(new MavenVersion(inOrder.get(i)).compareTo(before) > 0, inOrder.get(i));
        }
    }

    @Test
    void versions_ofOtherSpelling_areEqual() {
        assertEquals(0, new MavenVersion("4.1.0.Final").compareTo(new MavenVersion("4.1")));
        assertEquals(0, new MavenVersion("1.0-alpha").compareTo(new MavenVersion("1-alpha")));
    }
}

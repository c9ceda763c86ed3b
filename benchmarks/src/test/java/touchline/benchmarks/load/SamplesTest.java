package touchline.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SamplesTest {
    @Test
    void percentiles_ofFallingNumbers_areInOrder() {
        Samples samples = new Samples();
        for (int i = 3000; i > 0; i--) {
            samples.add(i);
        }
        assertEquals(1501, samples.median());
        assertEquals(2851, samples.percentile(95));
        assertEquals(3000, samples.max());
    }

    @Test
    void more_addedAfterALook_counts() {
        Samples samples = new Samples();
        samples.add(5);
        assertEquals(5, samples.median());
        Samples others = new Samples();
        others.add(1);
        others.add(2);
        samples.addAll(others);
        assertEquals(3, samples.count());
        assertEquals(2, samples.median());
    }

    @Test
    void none_isNotANumber() {
        assertEquals(Double.NaN, new Samples().median());
    }
}

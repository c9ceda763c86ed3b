package touchline.benchmarks.load;

import java.util.ArrayList;
import java.util.List;

/**
 * What stands behind a benchmark's name on the command line: {@code --options} with a value each,
 * anywhere, and the others by their place. Immutable.
 */
public final class Arguments {
    private final List<String> all;
    private final List<String> placed = new ArrayList<>();

    public Arguments(List<String> all) {
        this.all = List.copyOf(all);
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).startsWith("--")) {
                i++;
            } else {
                placed.add(all.get(i));
            }
        }
    }

    /** As they came. */
    public List<String> all() {
        return all;
    }

    /**
     * @throws NumberFormatException it is no number
     */
    public int number(int index, int otherwise) {
        return index < placed.size() ? Integer.parseInt(placed.get(index)) : otherwise;
    }

    public String text(int index, String otherwise) {
        return index < placed.size() ? placed.get(index) : otherwise;
    }

    /**
     * @param name with its dashes
     * @throws NumberFormatException it is no number
     */
    public int option(String name, int otherwise) {
        String text = option(name, "");
        return text.isEmpty() ? otherwise : Integer.parseInt(text);
    }

    /**
     * @param name with its dashes
     */
    public String option(String name, String otherwise) {
        int at = all.indexOf(name);
        return at >= 0 && at + 1 < all.size() ? all.get(at + 1) : otherwise;
    }
}
